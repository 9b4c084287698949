// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice A wallet that answers as it should, and goes on with as many bytes as its gas buys.
contract BabblingWallet {
    function isValidSignature(bytes32, bytes calldata) external pure {
        assembly {
            mstore(0, shl(224, 0x1626ba7e))
            return(0, 200000)
        }
    }
}

/// @notice A wallet that refuses with as many bytes as its gas buys.
contract WordyRefusal {
    function isValidSignature(bytes32, bytes calldata) external pure {
        assembly {
            revert(0, 200000)
        }
    }
}

/// @notice A wallet that refuses whatever it is asked.
contract RefusingWallet {
    error Never();

    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        revert Never();
    }
}

/// @notice A factory that never comes to an end, as ERC-6492 lets a signature name one.
contract EndlessFactory {
    function deploy() external view {
        while (gasleft() > 0) {}
    }
}
