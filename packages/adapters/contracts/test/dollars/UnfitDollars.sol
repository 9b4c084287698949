// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice A token that cannot be the dollar of a pair: it knows no authorizations.
contract PlainDollar {
    string public constant name = "Plain Dollar";
    string public constant symbol = "PLAIN";
    string public constant version = "1";

    function decimals() external pure virtual returns (uint8) {
        return 6;
    }
}

/// @notice Its prices would be written with other digits.
contract EighteenDollar is PlainDollar {
    function decimals() external pure override returns (uint8) {
        return 18;
    }
}

/// @notice What its holders sign is not what its name and version say.
contract OtherDomainDollar is PlainDollar {
    bytes32 public constant DOMAIN_SEPARATOR = bytes32(uint256(1));
}

/// @notice Takes every call, so anybody could pay with the money of others.
contract CredulousDollar is PlainDollar {
    function authorizationState(address, bytes32) external pure returns (bool) {
        return false;
    }

    fallback() external {}
}
