// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMemoryMarketplace} from "../../src/interfaces/IMemoryMarketplace.sol";
import {IPayments} from "../../src/interfaces/IPayments.sol";

/// @notice Refuses all money, at length.
contract RefusingReceiver {
    receive() external payable {
        assembly {
            revert(0, 50000)
        }
    }
}

/// @notice Needs more gas for its money than a payment allows.
contract GasHoggingReceiver {
    uint256 private last;
    mapping(uint256 index => uint256 value) private notes;

    receive() external payable {
        for (uint256 i = 0; i < 8; ++i) {
            notes[++last] = 1;
        }
    }
}

/// @notice Takes money and gives an endless answer.
contract ReturnBombingReceiver {
    receive() external payable {
        assembly {
            return(0, 50000)
        }
    }
}

/// @notice Takes money and tries every way back into the marketplace.
contract ReentrantReceiver {
    /// @notice Tells whether any of them was open.
    bool public entered;

    receive() external payable {
        _try(abi.encodeCall(IMemoryMarketplace.list, (1, 1, 1, 1, 1)));
        _try(abi.encodeCall(IMemoryMarketplace.buy, (1, address(this))));
        _try(abi.encodeCall(IMemoryMarketplace.rent, (1, address(this), 1)));
        _try(abi.encodeCall(IMemoryMarketplace.fork, (1, address(this), 10_000)));
        _try(abi.encodeCall(IMemoryMarketplace.payRoyalty, (1)));
        _try(abi.encodeCall(IPayments.withdraw, (address(this))));
        _try(abi.encodeCall(IPayments.withdrawFor, (address(this))));
        _try(abi.encodeCall(IPayments.withdrawDollars, (address(this))));
        _try(abi.encodeCall(IPayments.withdrawDollarsFor, (address(this))));
        _try(abi.encodeCall(IPayments.takeOverCredit, (address(this))));
    }

    function _try(bytes memory data) private {
        (bool done, bytes memory reason) = msg.sender.call(data);
        if (done || bytes4(reason) != IPayments.Reentered.selector) entered = true;
    }
}

/// @notice Forces the money that it is given upon another account, by destroying what holds it.
contract ForcingReceiver {
    address private immutable target;

    constructor(address target_) {
        target = target_;
    }

    receive() external payable {
        // PUSH20 target SELFDESTRUCT
        bytes memory code = abi.encodePacked(hex"73", target, hex"ff");
        assembly ("memory-safe") {
            if iszero(create(callvalue(), add(code, 32), mload(code))) { revert(0, 0) }
        }
    }
}
